package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// What comes in is handled in its order, so that texts are changed in theirs. A question
// is detached once its document is known, and may be cancelled.
//
// The library's handler for that is not taken: it derives contexts from that of a request, which is
// used again for another one as soon as it is answered, and a context that is
// derived too late then takes the process down (seen under load, v1.0.0 of
// go.lsp.dev/jsonrpc2). Here contexts come from that of the session.
//
// For the library, news that cannot be handled ends the connection. Here it is as if there had been none: an
// editor, which gets no answer to news, could do nothing about it, and other documents are not concerned.

// dispatcher hands what comes in to the server.
type dispatcher struct {
	ctx    context.Context // of the session
	handle jsonrpc2.Handler
	mu     sync.Mutex
	cancel map[string]context.CancelFunc // of the questions that are being answered
}

func newDispatcher(ctx context.Context, s protocol.Server) *dispatcher {
	handle := protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler)
	return &dispatcher{ctx: ctx, handle: handle, cancel: map[string]context.CancelFunc{}}
}

// asideKey is the key of the function that lets the connection go on.
type asideKey struct{}

// detach lets the connection go on beside the answer to a question.
func detach(ctx context.Context) {
	if release, ok := ctx.Value(asideKey{}).(func()); ok {
		release()
	}
}

// serve handles a message.
func (d *dispatcher) serve(request context.Context, r *jsonrpc2.Request) (any, error) {
	answer, err := d.answer(request, r)
	if !r.IsCall() {
		return nil, nil
	}
	return answer, err
}

func (d *dispatcher) answer(request context.Context, r *jsonrpc2.Request) (any, error) {
	if r.Method() == protocol.MethodCancelRequest {
		return nil, d.cancelled(r)
	}
	ctx, cancel := context.WithCancel(context.WithValue(d.ctx, asideKey{}, func() { jsonrpc2.Async(request) }))
	defer cancel()
	if r.IsCall() {
		id := key(r.ID())
		d.mu.Lock()
		d.cancel[id] = cancel
		d.mu.Unlock()
		defer func() {
			d.mu.Lock()
			delete(d.cancel, id)
			d.mu.Unlock()
		}()
	}
	return d.handle(ctx, r)
}

// cancelled cancels a question.
func (d *dispatcher) cancelled(r *jsonrpc2.Request) error {
	var p protocol.CancelParams
	if err := protocol.Unmarshal(r.Params(), &p); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var id string
	switch x := p.ID.(type) {
	case protocol.Integer:
		id = key(jsonrpc2.NewNumberID(int64(x)))
	case protocol.String:
		id = key(jsonrpc2.NewStringID(string(x)))
	}
	if cancel := d.cancel[id]; cancel != nil {
		cancel()
	}
	return nil
}

// key tells questions apart.
func key(id jsonrpc2.ID) string {
	if n, ok := id.Number(); ok {
		return fmt.Sprint(n)
	}
	s, _ := id.StringValue()
	return fmt.Sprintf("%q", s)
}
