package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A healthy client makes one small call after the other, at an unhurried pace.
const healthyEvery = 5 * time.Millisecond

// A healthy call that takes longer than this has failed.
const healthyTimeout = 10 * time.Second

// transportOf makes connections as an attack wants them.
func transportOf(a *assault) (*http.Transport, string) {
	return transport(a.protocol == "h2", a.tls)
}

func transport(http2, secure bool) (*http.Transport, string) {
	var protocols http.Protocols
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2 && secure)
	protocols.SetUnencryptedHTTP2(http2 && !secure)
	scheme := "http"
	if secure {
		scheme = "https"
	}
	return &http.Transport{
		Protocols:          &protocols,
		TLSClientConfig:    &tls.Config{InsecureSkipVerify: true},
		ForceAttemptHTTP2:  http2 && secure,
		DisableCompression: true,
	}, scheme
}

// Healthy is everyone whom the attacks must not hurt.
type healthy struct {
	mutex  sync.Mutex
	micros []float64
	failed int
	fault  string
}

func (h *healthy) start(plain, secure string) {
	for i, kind := range []struct{ http2, tls, grpc bool }{
		{true, false, true}, {true, true, true}, {false, false, false}, {false, true, false},
	} {
		t, scheme := transport(kind.http2, kind.tls)
		address := plain
		if kind.tls {
			address = secure
		}
		url := scheme + "://" + address + "/" + echoMethod
		go func() {
			time.Sleep(healthyEvery * time.Duration(i) / 4)
			for n := 0; ; n++ {
				start := time.Now()
				err := echo(&http.Client{Transport: t, Timeout: healthyTimeout}, url, kind.grpc, []byte(fmt.Sprintf("healthy call %d of %d", n, i)))
				h.done(time.Since(start), err)
				time.Sleep(healthyEvery)
			}
		}()
	}
}

func (h *healthy) done(took time.Duration, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if err != nil {
		h.failed++
		h.fault = err.Error()
		return
	}
	h.micros = append(h.micros, float64(took.Nanoseconds())/1000)
}

// take returns what has happened since the last time.
func (h *healthy) take() (micros []float64, failed int, fault string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	micros, failed, fault = h.micros, h.failed, h.fault
	h.micros, h.failed, h.fault = nil, 0, ""
	return
}

func echo(client *http.Client, url string, grpc bool, payload []byte) error {
	body, contentType := []byte(nil), "application/json"
	if grpc {
		body, contentType = message(0, field1(payload)), "application/grpc"
	} else {
		body, _ = json.Marshal(map[string][]byte{"payload": payload})
	}
	request, _ := http.NewRequest("POST", url, bytes.NewReader(body))
	request.Header.Set("content-type", contentType)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return err
	}
	if grpc && response.Trailer.Get("grpc-status") != "0" {
		return fmt.Errorf("status %s %s", response.Trailer.Get("grpc-status"), response.Header.Get("grpc-status"))
	}
	if !bytes.Equal(answer, body) {
		return fmt.Errorf("%d: %.60q instead of %q", response.StatusCode, answer, body)
	}
	return nil
}

func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func median(values []float64) float64 { return quantile(values, 0.5) }
