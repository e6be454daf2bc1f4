/*
Copyright 2026 The Cluster API Provider IONOS Cloud Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package cloudsim

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Server is a Cloud that listens on loopback.
type Server struct {
	*Cloud
	// URL is the base URL, without the path of the API.
	URL string

	server *http.Server
	ended  chan error
}

// Start makes a cloud that listens on a free port of loopback.
func Start(options ...Option) (*Server, error) {
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0") //nolint:forbidigo // It is closed by Close.
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	s := &Server{Cloud: New(options...), URL: "http://" + listener.Addr().String(), ended: make(chan error, 1)}
	s.server = &http.Server{Handler: s.Cloud, ReadHeaderTimeout: time.Minute}
	go func() { s.ended <- s.server.Serve(listener) }()
	return s, nil
}

// Close stops listening, and what is under way.
func (s *Server) Close() error {
	err := s.server.Close()
	if served := <-s.ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	s.Cloud.Close()
	return err
}
