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

package managementcluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// stopTimeout is how long a process may take to end after it was asked to.
const stopTimeout = 20 * time.Second

// ProcessOptions describe a manager process.
type ProcessOptions struct {
	// Name is for people and for the log file.
	Name, Path string
	Args       []string
	// WorkDir is where the log goes.
	WorkDir    string
	Kubeconfig string
	// HealthAddress is host:port of the endpoint /readyz.
	HealthAddress string
	StartTimeout  time.Duration
}

// Process is a manager process that runs.
type Process struct {
	// LogPath is the file with its output.
	LogPath string

	name    string
	command *exec.Cmd
	ended   chan struct{}
	log     *os.File
}

// StartProcess starts a manager and waits until it is ready.
func StartProcess(ctx context.Context, options ProcessOptions) (*Process, error) {
	p := &Process{name: options.Name, LogPath: filepath.Join(options.WorkDir, options.Name+".log"), ended: make(chan struct{})}
	var err error
	if p.log, err = os.Create(p.LogPath); err != nil {
		return nil, fmt.Errorf("create the log of %s: %w", options.Name, err)
	}
	// The process outlives the context on purpose: it is stopped in order, by Stop.
	p.command = exec.CommandContext(context.WithoutCancel(ctx), options.Path, options.Args...)
	p.command.Env = append(os.Environ(), "KUBECONFIG="+options.Kubeconfig)
	p.command.Stdout, p.command.Stderr = p.log, p.log
	// An interrupt from the terminal goes to the whole process group; what is started here is stopped in order instead.
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.command.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", options.Name, err), p.log.Close())
	}
	go func() {
		_ = p.command.Wait() // How it ended is in its log.
		close(p.ended)
	}()
	if err := p.waitReady(ctx, options); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

func (p *Process) waitReady(ctx context.Context, options ProcessOptions) error {
	client := &http.Client{Timeout: time.Second}
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, options.StartTimeout, true, func(ctx context.Context) (bool, error) {
		select {
		case <-p.ended:
			return false, errors.New("it ended")
		default:
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+options.HealthAddress+"/readyz", nil)
		if err != nil {
			return false, err
		}
		response, err := client.Do(request)
		if err != nil {
			return false, nil //nolint:nilerr // It does not listen yet.
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	if err != nil {
		return fmt.Errorf("wait until %s is ready: %w; its log is %s", p.name, err, p.LogPath)
	}
	return nil
}

// Kill ends the process at once, as a crash would.
func (p *Process) Kill() error {
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill %s: %w", p.name, err)
	}
	<-p.ended
	return p.log.Close()
}

// Stop ends the process in order, and at once when that takes too long. Stopping nothing is fine.
func (p *Process) Stop() error {
	if p == nil {
		return nil
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop %s: %w", p.name, err)
	}
	timer := time.NewTimer(stopTimeout)
	defer timer.Stop()
	select {
	case <-p.ended:
		return p.log.Close()
	case <-timer.C:
		return p.Kill()
	}
}
