import { HttpClient } from '../../collecting/http-client.ts';

export interface XClientSettings {
  readonly baseUrl: string;
  readonly bearerToken: string;
}

export function createXClient({ baseUrl, bearerToken }: XClientSettings): HttpClient {
  return new HttpClient({ baseUrl, headers: { authorization: `Bearer ${bearerToken}` } });
}
