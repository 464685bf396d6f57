/**
 * How a program reads the API of a service, so that checks of what it answers are written once for
 * plain HTTP and for each client. Addresses are paths with parameters, such as `/v1/pools?limit=5`.
 * Everything is as of one slot: a reader fails when an answer is as of another one.
 */
export interface MarketReader {
  /** The text of a file. */
  text(url: string): Promise<string>;
  /** The body of an answer. */
  json<Body>(url: string): Promise<Body>;
  /** The items of all pages of a list with a cursor. */
  items<Item>(url: string): Promise<readonly Item[]>;
  close(): Promise<void>;
}
