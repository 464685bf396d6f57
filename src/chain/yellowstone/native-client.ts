import {
  type StreamRead,
  type StreamStatus,
  shownMessage,
  type UpdateClient,
  type UpdateEndpoint,
  type UpdateStream,
} from './update-stream.ts';

/** The parts of the package `@triton-one/yellowstone-grpc` that are used. */
interface NativeModule {
  readonly GrpcClient: {
    new: (
      endpoint: string,
      token: string | null,
      options: { readonly grpcMaxDecodingMessageSize: number },
    ) => Promise<{ subscribe: (request: Buffer) => Promise<NativeStream> }>;
  };
}

interface NativeStream {
  read: () => Promise<Buffer | null | undefined>;
  writeRaw: (request: Buffer) => Promise<undefined>;
  close: () => void;
}

export type NativeLoading =
  | { readonly kind: 'loaded'; readonly client: UpdateClient }
  /** Not installed, or not built for this platform; the message says what to do. */
  | { readonly kind: 'unavailable'; readonly message: string };

/** The bytes-only entry point: the package's own messages and reader are not loaded. */
const PACKAGE = '@triton-one/yellowstone-grpc/napi';
/** The version this was tested with. */
const VERSION = '@triton-one/yellowstone-grpc@7.0.1';

/**
 * The client of the server's vendor, if it is installed: it runs HTTP/2 on its own thread. It reads
 * ahead of its caller without a documented bound, and there are no builds for Windows and Linux on
 * ARM, so it is used only on request.
 */
export async function loadNativeClient(
  endpoint: UpdateEndpoint,
  load: () => Promise<unknown> = () => import(PACKAGE),
): Promise<NativeLoading> {
  try {
    const loaded = await load();
    if (isNativeModule(loaded)) return { kind: 'loaded', client: createClient(endpoint, loaded) };
    return {
      kind: 'unavailable',
      message: `${PACKAGE} has no GrpcClient: run "npm install ${VERSION}".`,
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = `${PACKAGE} cannot be loaded (${error.message.split('\n')[0]}): run "npm install ${VERSION}", or use the client "grpc-js".`;
    return { kind: 'unavailable', message };
  }
}

function isNativeModule(loaded: unknown): loaded is NativeModule {
  const { GrpcClient } = (loaded ?? {}) as { readonly GrpcClient?: { readonly new?: unknown } };
  return typeof GrpcClient?.new === 'function';
}

function createClient(endpoint: UpdateEndpoint, { GrpcClient }: NativeModule): UpdateClient {
  const { url, token, messageBytesMax } = endpoint;
  return {
    origin: new URL(url).host,
    open: async (request) => {
      try {
        const options = { grpcMaxDecodingMessageSize: messageBytesMax };
        const client = await GrpcClient.new(url, token, options);
        return new OpenStream(await client.subscribe(Buffer.from(request)), token);
      } catch (error) {
        return endedStream(statusOf(error, token));
      }
    },
  };
}

class OpenStream implements UpdateStream {
  private readonly stream: NativeStream;
  private readonly token: string | null;
  private readonly closed: Promise<StreamRead>;
  private notifyClosed: () => void = () => undefined;

  constructor(stream: NativeStream, token: string | null) {
    this.stream = stream;
    this.token = token;
    this.closed = new Promise((resolve) => {
      this.notifyClosed = () =>
        resolve({ kind: 'ended', status: { code: CANCELLED, message: 'closed' } });
    });
  }

  async read(): Promise<StreamRead> {
    // A pending read does not notice that the stream is closed.
    return await Promise.race([this.readNext(), this.closed]);
  }

  write(request: Uint8Array): void {
    // A write fails when the stream has ended, which the next read reports.
    this.stream.writeRaw(Buffer.from(request)).catch(() => undefined);
  }

  close(): void {
    this.stream.close();
    this.notifyClosed();
  }

  private async readNext(): Promise<StreamRead> {
    try {
      const bytes = await this.stream.read();
      if (bytes instanceof Uint8Array) return { kind: 'update', bytes };
      return { kind: 'ended', status: { code: OK, message: 'the server ended the stream' } };
    } catch (error) {
      return { kind: 'ended', status: statusOf(error, this.token) };
    }
  }
}

const OK = 0;
const CANCELLED = 1;
const UNKNOWN = 2;
/** Names of codes as the package writes them into its messages, by number. */
const CODES: readonly string[] = [
  'Ok',
  'Cancelled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];

/** The package throws errors whose code appears only in the message. */
function statusOf(error: unknown, token: string | null): StreamStatus {
  const message = error instanceof Error ? error.message : String(error);
  const [, name = ''] = /(?:code|status): '?(\w+)/.exec(message) ?? [];
  const code = CODES.indexOf(name);
  return { code: code < 0 ? UNKNOWN : code, message: shownMessage(message, token) };
}

function endedStream(status: StreamStatus): UpdateStream {
  return {
    read: async () => ({ kind: 'ended', status }),
    write: () => undefined,
    close: () => undefined,
  };
}
