/**
 * Services that every gRPC server is expected to have, each one line to add: {@link
 * dev.peregrine.services.Health} and {@link dev.peregrine.services.Reflection}.
 */
package dev.peregrine.services;
