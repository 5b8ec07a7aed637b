package com.example.library;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.Status;
import dev.peregrine.server.Server;
import dev.peregrine.transcoding.Transcoding;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

public class Library implements LibraryService {

  private final Map<String, Book> books = new ConcurrentSkipListMap<>();

  @Override
  public Book getBook(GetBookRequest request, Context context) {
    Book book = books.get(request.getName());
    if (book == null) {
      throw Status.NOT_FOUND.withMessage("no book " + request.getName()).exception();
    }
    return book;
  }

  @Override
  public ListBooksResponse listBooks(ListBooksRequest request, Context context) {
    ListBooksResponse.Builder response = ListBooksResponse.newBuilder();
    books.values().stream().limit(request.getPageSize()).forEach(response::addBooks);
    return response.build();
  }

  @Override
  public Book createBook(CreateBookRequest request, Context context) {
    String name = request.getParent() + "/books/" + (books.size() + 1);
    Book book = request.getBook().toBuilder().setName(name).build();
    books.put(name, book);
    return book;
  }

  @Override
  public Book lendBook(LendBookRequest request, Context context) {
    GetBookRequest wanted = GetBookRequest.newBuilder().setName(request.getName()).build();
    Book lent = getBook(wanted, context).toBuilder().setLentTo(request.getTo()).build();
    books.put(lent.getName(), lent);
    return lent;
  }

  @Override
  public void watchBooks(ListBooksRequest request, Responses<Book> responses, Context context) {
    books.values().forEach(responses::send);
  }

  public static void main(String[] args) throws InterruptedException {
    Server.builder()
        .port(8080)
        .add(new Library())
        .httpMapping(new Transcoding())
        .start()
        .awaitTermination();
  }
}
