import { HttpClient } from '../../../lib/http-client/http-client.ts';

/** A client of the X API that sends the bearer token of an app. */
export function createXClient({
  baseUrl,
  bearerToken,
}: {
  readonly baseUrl: string;
  readonly bearerToken: string;
}): HttpClient {
  return new HttpClient({ baseUrl, headers: { authorization: `Bearer ${bearerToken}` } });
}
