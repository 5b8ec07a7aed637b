/**
 * What services are written against: {@link dev.peregrine.rpc.Service}, {@link
 * dev.peregrine.rpc.Context}, {@link dev.peregrine.rpc.Status}, streams, execution and limits.
 */
package dev.peregrine.rpc;
