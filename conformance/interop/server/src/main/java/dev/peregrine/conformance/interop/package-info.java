/** grpc.testing.TestService, for the interop clients of other gRPC libraries. */
package dev.peregrine.conformance.interop;
