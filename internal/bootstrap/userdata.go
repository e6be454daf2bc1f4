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

package bootstrap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"strings"
	"unicode/utf8"
)

// maxUnpacked bounds what a gzip stream may unpack to. A secret holds 1 MiB, so this is no limit on honest data.
const maxUnpacked = 32 << 20

// mediaTypes are the kinds of user data that cloud-init tells by their beginning, longer beginnings first.
var mediaTypes = []struct{ beginning, mediaType string }{
	{"#cloud-config-archive", "text/cloud-config-archive"},
	{"#cloud-config-jsonp", "text/cloud-config-jsonp"},
	{"## template: jinja", "text/jinja2"},
	{"#cloud-boothook", "text/cloud-boothook"},
	{"#include-once", "text/x-include-once-url"},
	{"#part-handler", "text/part-handler"},
	{"#cloud-config", "text/cloud-config"},
	{"#include", "text/x-include-url"},
	{"#!", "text/x-shellscript"},
}

// userData is the user's content as a part of a MIME document.
type userData struct {
	content []byte
	// mediaType is the content's type; empty if the content is itself a MIME message that brings its own headers.
	mediaType string
}

// readUserData finds out what the user's content is, the way cloud-init does.
func readUserData(content []byte) (userData, error) {
	if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		unpacked, err := unpack(content)
		if err != nil {
			return userData{}, err
		}
		inner, err := classify(unpacked)
		if err != nil {
			return userData{}, fmt.Errorf("unpacked: %w", err)
		}
		if inner.mediaType == "" {
			// cloud-init does not look for a MIME message inside a compressed part, so it goes in unpacked.
			return inner, nil
		}
		return userData{content: content, mediaType: "application/gzip"}, nil
	}
	return classify(content)
}

func classify(content []byte) (userData, error) {
	trimmed := bytes.TrimSpace(content)
	for _, known := range mediaTypes {
		if n := len(known.beginning); len(trimmed) >= n && strings.EqualFold(string(trimmed[:n]), known.beginning) {
			return userData{content: content, mediaType: known.mediaType}, nil
		}
	}
	if isMIME(content) {
		if err := validateMIME(content); err != nil {
			return userData{}, fmt.Errorf("MIME message: %w", err)
		}
		return userData{content: content}, nil
	}
	return userData{}, errors.New(`beginning is none that cloud-init knows, such as "#cloud-config", "#!", ` +
		`"## template: jinja" or the header of a MIME message`)
}

// withoutEnvelope drops the "From " line that some tools write in front of a message's headers.
func withoutEnvelope(message []byte) []byte {
	if bytes.HasPrefix(message, []byte("From ")) {
		_, message, _ = bytes.Cut(message, []byte("\n"))
	}
	return message
}

// isMIME tells whether the content starts with headers, among them one that only a MIME message has.
func isMIME(content []byte) bool {
	message, err := mail.ReadMessage(bytes.NewReader(withoutEnvelope(content)))
	if err != nil {
		// Broken headers: still a message if the first says so, and then the error is worth telling.
		start := bytes.ToLower(withoutEnvelope(content)[:min(len(withoutEnvelope(content)), 32)])
		return bytes.HasPrefix(start, []byte("mime-version:")) || bytes.HasPrefix(start, []byte("content-type:"))
	}
	return message.Header.Get("Mime-Version") != "" || message.Header.Get("Content-Type") != ""
}

// validateMIME refuses a message of which cloud-init would not find the parts.
func validateMIME(content []byte) error {
	message, err := mail.ReadMessage(bytes.NewReader(withoutEnvelope(content)))
	if err != nil {
		return errors.New("headers are malformed") // The cause would quote them.
	}
	if !utf8.Valid(content) {
		return errors.New("not encoded as UTF-8")
	}
	mediaType, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return errors.New("header Content-Type is missing or malformed")
	}
	if !strings.HasPrefix(mediaType, "multipart/") {
		return nil
	}
	boundary := parameters["boundary"]
	body, err := io.ReadAll(message.Body)
	if err != nil {
		return errors.New("body cannot be read")
	}
	if boundary == "" || !bytes.Contains(body, []byte("--"+boundary)) {
		return errors.New("multipart without parts: the boundary is missing from the header or from the body")
	}
	return nil
}

func unpack(packed []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("read gzip header: %w", err)
	}
	unpacked, err := io.ReadAll(io.LimitReader(reader, maxUnpacked+1))
	if err != nil {
		return nil, fmt.Errorf("unpack gzip: %w", err)
	}
	if len(unpacked) > maxUnpacked {
		return nil, fmt.Errorf("unpack gzip: content is larger than %d MiB", maxUnpacked>>20)
	}
	return unpacked, nil
}
