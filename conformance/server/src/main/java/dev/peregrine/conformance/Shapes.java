package dev.peregrine.conformance;

import dev.peregrine.conformance.v1.Shape;
import dev.peregrine.conformance.v1.ShapesService;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Responses;

/** Does what {@code shapes.proto} promises. Any thread. */
public final class Shapes implements ShapesService {

  @Override
  public Shape mirror(Shape request, Context context) {
    return request;
  }

  @Override
  public void repeat(Shape request, Responses<Shape> responses, Context context) {
    for (int i = 1; i <= request.getCount(); i++) {
      responses.send(request.toBuilder().setCount(i).build());
    }
  }
}
