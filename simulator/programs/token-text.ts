/** Name, symbol and metadata link of a token. */
export interface TokenText {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}
