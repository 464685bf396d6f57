/** The address of an RPC node. It may contain a paid key: show the label, never the URL. */
export interface Endpoint {
  /** For people, logs and metrics: the host, numbered where several endpoints share it. */
  readonly label: string;
  readonly url: string;
  readonly webSocketUrl: string;
  /** Sent with every request; carries the credentials before the `@` of the address. */
  readonly headers: Readonly<Record<string, string>>;
  /** Removes every secret part of the address from a text. */
  readonly redact: (text: string) => string;
}

export type EndpointParsing =
  | { readonly status: 'ok'; readonly endpoints: readonly Endpoint[] }
  /** The message says what the list must be and repeats nothing of it. */
  | { readonly status: 'refused'; readonly message: string };

const ENDPOINTS_MAX = 16;

/** Parses comma-separated addresses, in order of preference. */
export function parseEndpoints(list: string): EndpointParsing {
  const texts = list.split(',').map((text) => text.trim());
  const hosts = new Map<string, number>();
  const endpoints: Endpoint[] = [];
  for (const text of texts) {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      const message = 'must be http or https addresses with commas between them';
      return { status: 'refused', message };
    }
    const url = new URL(text);
    const count = (hosts.get(url.host) ?? 0) + 1;
    hosts.set(url.host, count);
    endpoints.push(endpointAt(url, count === 1 ? url.host : `${url.host} #${count}`));
  }
  if (endpoints.length > ENDPOINTS_MAX) {
    return { status: 'refused', message: `must be at most ${ENDPOINTS_MAX} addresses` };
  }
  return { status: 'ok', endpoints };
}

function endpointAt(url: URL, label: string): Endpoint {
  const secrets = secretsOf(url);
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  const webSocket = new URL(bare);
  webSocket.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    label,
    url: bare.href,
    webSocketUrl: webSocket.href,
    headers: credentials === ':' ? {} : { authorization },
    redact: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text),
  };
}

/** Anything after the host may be a key. Shorter words are common path segments. */
const SECRET_LENGTH_MIN = 6;

function secretsOf({ username, password, pathname, searchParams, search }: URL): string[] {
  const values = [...searchParams.values(), ...search.split(/[?&=]/)];
  const parts = [username, password, ...pathname.split('/'), ...values];
  const spelled = parts.flatMap((part) => [part, safeDecode(part)]);
  const long = spelled.filter((part) => part.length >= SECRET_LENGTH_MIN);
  return [...new Set(long)].sort((one, other) => other.length - one.length);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
