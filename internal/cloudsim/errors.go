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
	"fmt"
	"net/http"
	"strconv"
)

// apiError is an answer that is none of success.
type apiError struct {
	status  int
	code    string
	message string
}

// body is the error as the API writes it.
func (e *apiError) body() map[string]any {
	return map[string]any{
		"httpStatus": e.status,
		"messages":   []map[string]any{{"errorCode": e.code, "message": e.message}},
	}
}

// Error codes that are known.
const (
	codeConstraint = "100"
	codeReadOnly   = "105"
	codeEnum       = "109"
	codeFailover   = "184"
)

func notFound() *apiError {
	return &apiError{http.StatusNotFound, "309", "Resource does not exist"}
}

func invalid(code, field, format string, arguments ...any) *apiError {
	return &apiError{http.StatusUnprocessableEntity, code, "[(root).properties." + field + "] " + fmt.Sprintf(format, arguments...)}
}

func refused(status int, format string, arguments ...any) *apiError {
	return &apiError{status, strconv.Itoa(status), fmt.Sprintf(format, arguments...)}
}
