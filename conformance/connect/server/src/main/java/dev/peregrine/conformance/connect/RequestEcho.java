package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import connectrpc.conformance.v1.ConfigOuterClass;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import connectrpc.conformance.v1.Service.Error;
import connectrpc.conformance.v1.Service.Header;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the suite wants told back, and its messages as Peregrine's types. Handler thread. */
final class RequestEcho {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private RequestEcho() {}

  /** Everything that was seen of a request: header fields, time allowed, messages. */
  static RequestInfo of(Context context, List<Any> requests) {
    RequestInfo.Builder info = RequestInfo.newBuilder().addAllRequests(requests);
    Map<String, Header.Builder> byName = new LinkedHashMap<>();
    context
        .metadata()
        .forEach(
            (name, value) ->
                byName
                    .computeIfAbsent(name, key -> Header.newBuilder().setName(key))
                    .addValue(value));
    byName.values().forEach(info::addRequestHeaders);
    long allowedNanos = TimeAllowed.nanos(context);
    if (allowedNanos != Context.NO_DEADLINE) {
      info.setTimeoutMs(allowedNanos / NANOS_PER_MILLI);
    }
    return info.build();
  }

  /** Adds the fields that a response definition asks for. */
  static void addAll(List<Header> fields, Metadata target) {
    for (Header field : fields) {
      for (String value : field.getValueList()) {
        if (field.getName().endsWith("-bin")) {
          target.addBinary(field.getName(), Base64.getDecoder().decode(value));
        } else {
          target.add(field.getName(), value);
        }
      }
    }
  }

  /** The failure that a response definition asks for. */
  static Status failure(Error error) {
    ConfigOuterClass.Code code = error.getCode();
    // The suite's codes have gRPC's numbers.
    return Status.of(Status.Code.of(code.getNumber()))
        .withMessage(error.getMessage())
        .withDetails(error.getDetailsList().toArray(new Any[0]));
  }

  /** The same, telling the request back in its details. */
  static Status failure(Error error, RequestInfo info) {
    return failure(error).withDetails(info);
  }
}
