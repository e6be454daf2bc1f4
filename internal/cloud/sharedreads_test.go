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

package cloud

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
)

// slowReads are shared reads that take a second each, and give the number of the read.
func slowReads(ttl time.Duration) (*sharedReads[string, int], *int) {
	count := 0
	return newSharedReads(clock.RealClock{}, ttl, func(context.Context, string) (int, error) {
		count++
		number := count
		<-time.After(time.Second)
		return number, nil
	}), &count
}

// expect asks in the background, and checks the answer.
func expect(t *testing.T, ask func(context.Context, string) (int, error), want int) {
	t.Helper()
	go func() {
		if got, err := ask(t.Context(), "k"); err != nil || got != want {
			t.Errorf("got %d, %v, want %d", got, err, want)
		}
	}()
	synctest.Wait()
}

// Who asks for a fresh result while a read is under way waits for the next one, with all who come meanwhile.
func TestSharedReadsFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, count := slowReads(time.Minute)
		expect(t, reads.get, 1)
		expect(t, reads.fresh, 2)
		expect(t, reads.fresh, 2)
		expect(t, reads.get, 1)
		<-time.After(1500 * time.Millisecond)
		// The second is under way.
		expect(t, reads.get, 2)
		expect(t, reads.fresh, 3)
		<-time.After(5 * time.Second)
		expect(t, reads.get, 3)
		expect(t, reads.fresh, 4)
		<-time.After(5 * time.Second)
		synctest.Wait()
		if *count != 4 {
			t.Errorf("%d reads", *count)
		}
	})
}

// What is forgotten while it is read is not kept, and who waits for the next read still gets it.
func TestSharedReadsForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, _ := slowReads(time.Minute)
		expect(t, reads.get, 1)
		reads.forget("k")
		expect(t, reads.get, 2)
		expect(t, reads.fresh, 3)
		reads.forget("k")
		<-time.After(10 * time.Second)
		expect(t, reads.get, 3)
		reads.forget("other")
		expect(t, reads.get, 3)
		reads.forget("k")
		expect(t, reads.get, 4)
		<-time.After(2 * time.Second)
	})
}

func TestSharedReadsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, _ := slowReads(time.Minute)
		expect(t, reads.get, 1)
		<-time.After(time.Minute)
		expect(t, reads.get, 1)
		<-time.After(time.Nanosecond)
		expect(t, reads.get, 2)
		<-time.After(2 * time.Second)

		none, _ := slowReads(0)
		expect(t, none.fresh, 1)
		<-time.After(2 * time.Second)
		expect(t, none.fresh, 2)
		<-time.After(2 * time.Second)
		synctest.Wait()
		if len(none.entries) != 0 {
			t.Errorf("kept: %v", none.entries)
		}
	})
}

// Who does not want to wait any longer goes; the others get their result.
func TestSharedReadsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, count := slowReads(time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		expect(t, reads.get, 1)
		if _, err := reads.get(ctx, "k"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		<-time.After(2 * time.Second)
		expect(t, reads.get, 1)
		synctest.Wait()
		if *count != 1 {
			t.Errorf("%d reads", *count)
		}
	})
}
