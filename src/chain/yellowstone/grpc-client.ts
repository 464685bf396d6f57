import {
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  status,
} from '@grpc/grpc-js';
import {
  type StreamRead,
  type StreamStatus,
  shownMessage,
  type UpdateClient,
  type UpdateEndpoint,
  type UpdateStream,
} from './update-stream.ts';

const METHOD = '/geyser.Geyser/Subscribe';
/** HTTP/2 window of stream and connection. Larger ones were slower, and buffer more than needed. */
const WINDOW_BYTES = 2 ** 20;

/**
 * The client that works on every platform: HTTP/2 flow control reaches the server, so a slow reader
 * slows the stream, and messages arrive as bytes.
 */
export function createGrpcClient(endpoint: UpdateEndpoint): UpdateClient {
  const { protocol, host } = new URL(endpoint.url);
  const isPlain = protocol === 'http:';
  // Without a port the library would use its own default.
  const target = host.includes(':') ? host : `${host}:${isPlain ? 80 : 443}`;
  const options: ChannelOptions = {
    'grpc.max_receive_message_length': endpoint.messageBytesMax,
    'grpc-node.flow_control_window': endpoint.windowBytes ?? WINDOW_BYTES,
    // Attempts are counted only here, and none waits for the library's own back-off.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
  };
  return {
    origin: target,
    open: async (request) => {
      const security = isPlain ? credentials.createInsecure() : credentials.createSsl();
      const client = new Client(target, security, options);
      const metadata = new Metadata();
      if (endpoint.token !== null) metadata.set('x-token', endpoint.token);
      const call = client.makeBidiStreamRequest<Uint8Array, Buffer>(
        METHOD,
        (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        (bytes) => bytes,
        metadata,
      );
      const stream = new GrpcStream(client, call, endpoint.token);
      stream.write(request);
      return stream;
    },
  };
}

class GrpcStream implements UpdateStream {
  private readonly client: Client;
  private readonly call: ClientDuplexStream<Uint8Array, Buffer>;
  private ended: StreamStatus | null = null;
  private wake: (() => void) | null = null;

  constructor(client: Client, call: ClientDuplexStream<Uint8Array, Buffer>, token: string | null) {
    this.client = client;
    this.call = call;
    call.on('readable', () => this.wakeReader());
    // Every end has a status; the error event only repeats it.
    call.on('error', () => undefined);
    call.on('status', ({ code, details }) => {
      this.end({ code, message: shownMessage(details, token) });
    });
  }

  async read(): Promise<StreamRead> {
    for (;;) {
      const bytes = this.call.read() as Buffer | null;
      if (bytes !== null) return { kind: 'update', bytes };
      if (this.ended !== null) return { kind: 'ended', status: this.ended };
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  write(request: Uint8Array): void {
    if (this.ended === null) this.call.write(request);
  }

  close(): void {
    this.end({ code: status.CANCELLED, message: 'closed' });
    this.call.cancel();
    this.client.close();
  }

  private end(ended: StreamStatus): void {
    this.ended ??= ended;
    this.wakeReader();
  }

  private wakeReader(): void {
    this.wake?.();
    this.wake = null;
  }
}
