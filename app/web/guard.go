package web

// Who may ask: only the page, and only from this machine unless another address was asked for.
//
// Idea: other programs of the machine do not know the token, and pages of other sites that the same
// browser has open cannot make it send one: the cookie is for this site alone, requests that come
// from elsewhere are refused by their Origin and Sec-Fetch-Site, and a name that was made to point
// here (DNS rebinding) is refused by the Host. The token comes with the address once; then it is in
// a cookie that scripts cannot read.

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// newToken is a random token of 256 bits.
func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it has no errors
	return hex.EncodeToString(b[:])
}

// A guard checks requests.
type guard struct {
	token string
	host  string // that was listened to
	port  string
}

// policy allows what the server itself has, and nothing in line.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// header is what all answers say.
func header(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// check answers what is refused, and reports whether the request may go on.
func (g *guard) check(w http.ResponseWriter, r *http.Request) bool {
	header(w)
	refuse := func(status int, why string) bool {
		http.Error(w, why, status)
		return false
	}
	switch {
	case !g.isHost(r.Host):
		return refuse(http.StatusMisdirectedRequest, "this is another host")
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		return refuse(http.StatusMethodNotAllowed, "only GET and POST")
	case !g.isOrigin(r):
		return refuse(http.StatusForbidden, "the request comes from another site")
	case !g.hasToken(r):
		return refuse(http.StatusUnauthorized, "the token is missing or wrong: open the address that magus printed")
	}
	return true
}

// isHost reports whether the server is asked by its address, or as localhost where that is this
// one. Where all addresses of the machine were asked for, any number of one will do, but no name.
func (g *guard) isHost(asked string) bool {
	host, port, err := net.SplitHostPort(asked)
	if err != nil || port != g.port {
		return false
	}
	listened, err := netip.ParseAddr(g.host)
	if err != nil {
		return strings.EqualFold(host, g.host)
	}
	if strings.EqualFold(host, "localhost") {
		return listened.IsLoopback() || listened.IsUnspecified()
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (addr == listened || listened.IsUnspecified())
}

// isOrigin reports whether a request comes from the page itself, or from the address line for a
// page. A browser says where a POST comes from.
func (g *guard) isOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
			r.Header.Get("Origin") == ""
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return r.Method == http.MethodGet || r.Header.Get(tokenHeader) != ""
	}
	return len(origins) == 1 && origins[0] == "http://"+r.Host
}

const tokenHeader = "X-Magus-Token"

// cookie is the name of the cookie: cookies do not tell ports apart.
func (g *guard) cookie() string { return "magus-" + g.port }

// hasToken reports whether a request has the token: in the cookie, in a header, or in the address
// of the page.
func (g *guard) hasToken(r *http.Request) bool {
	if given := r.Header.Get(tokenHeader); given != "" {
		return g.is(given)
	}
	if r.URL.Path == "/" && r.URL.Query().Has("token") {
		return g.is(r.URL.Query().Get("token"))
	}
	for _, c := range r.CookiesNamed(g.cookie()) {
		if g.is(c.Value) {
			return true
		}
	}
	return false
}

// is compares in a time that does not depend on where the texts differ.
func (g *guard) is(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(g.token)) == 1
}

// remember sets the cookie.
func (g *guard) remember(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.token, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
}
