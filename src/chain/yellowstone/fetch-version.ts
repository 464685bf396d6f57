import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { ProtobufReader } from '../protobuf/protobuf-reader.ts';
import { RecordRefusal } from '../rpc-json/json-value.ts';
import { shownMessage } from './update-stream.ts';

export type VersionAnswer =
  /** The server's text, JSON by convention. */
  | { readonly kind: 'version'; readonly text: string }
  /** The server does not implement the call. */
  | { readonly kind: 'unsupported' }
  /** A clause without a full stop, and without the token. */
  | { readonly kind: 'failed'; readonly message: string };

export interface VersionQuestion {
  /** `https://host:port`, or `http://` for one without TLS. */
  readonly url: string;
  /** Sent as `x-token`, and never shown. */
  readonly token: string | null;
  readonly deadlineMs: number;
}

const METHOD = '/geyser.Geyser/GetVersion';
const ANSWER_BYTES_MAX = 64 * 1_024;

/** Requests the version of a Yellowstone server. Never rejects. */
export async function fetchYellowstoneVersion({
  url,
  token,
  deadlineMs,
}: VersionQuestion): Promise<VersionAnswer> {
  const { protocol, host } = new URL(url);
  const isPlain = protocol === 'http:';
  const target = host.includes(':') ? host : `${host}:${isPlain ? 80 : 443}`;
  const client = new Client(
    target,
    isPlain ? credentials.createInsecure() : credentials.createSsl(),
    { 'grpc.max_receive_message_length': ANSWER_BYTES_MAX, 'grpc.enable_retries': 0 },
  );
  const metadata = new Metadata();
  if (token !== null) metadata.set('x-token', token);
  const deadline = Date.now() + deadlineMs;
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest<Uint8Array, Buffer>(
        METHOD,
        (bytes) => Buffer.from(bytes),
        (bytes) => bytes,
        new Uint8Array(),
        metadata,
        { deadline },
        (error, answer) => {
          if (error?.code === status.UNIMPLEMENTED) resolve({ kind: 'unsupported' });
          else if (error !== null) {
            resolve({ kind: 'failed', message: shownMessage(error.details, token) });
          } else resolve(versionIn(answer ?? Buffer.alloc(0)));
        },
      );
    });
  } finally {
    client.close();
  }
}

/** `GetVersionResponse { string version = 1; }`. */
function versionIn(bytes: Buffer): VersionAnswer {
  try {
    const reader = new ProtobufReader(bytes);
    let text = '';
    while (reader.next()) {
      if (reader.field === 1) text = reader.text();
      else reader.skip();
    }
    return { kind: 'version', text };
  } catch (error) {
    if (!(error instanceof RecordRefusal)) throw error;
    return { kind: 'failed', message: 'the answer is not a version' };
  }
}
