import { fileURLToPath } from 'node:url';
import {
  type ClientReadableStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

export const PROTO_FOLDER = fileURLToPath(new URL('../../proto', import.meta.url));

export type GrpcMessage = Readonly<Record<string, unknown>>;
type Stream = ClientReadableStream<GrpcMessage>;
type StreamMethod = (request: object, metadata: Metadata) => Stream;

/** A client of one service, built only from the published file. */
export function grpcClient(
  port: number,
  file: string,
  service: string,
  channel = credentials.createInsecure(),
) {
  const definition = loadSync(file, {
    includeDirs: [PROTO_FOLDER],
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const packages = loadPackageDefinition(definition);
  let place: unknown = packages;
  for (const part of service.split('.')) place = (place as Record<string, unknown>)[part];
  const Client = place as typeof import('@grpc/grpc-js').Client;
  return new Client(`127.0.0.1:${port}`, channel);
}

/** Calls a streaming method and collects its messages. */
export class GrpcReader {
  readonly messages: GrpcMessage[] = [];
  /** Status that the call ended with. */
  readonly ended: Promise<Pick<ServiceError, 'code' | 'details' | 'metadata'>>;
  /** Resolves when the server has admitted the call. */
  readonly admitted: Promise<void>;
  /** Initial metadata of an admitted call. */
  readonly initial: Promise<Metadata>;
  /** Sequence number at which the call begins. */
  readonly place: Promise<string>;
  readonly stream: Stream;
  private readonly client: ReturnType<typeof grpcClient>;
  private onMessage: () => void = () => undefined;

  constructor(
    client: ReturnType<typeof grpcClient>,
    method: string,
    {
      key,
      since,
      request = {},
      given = [],
    }: {
      readonly key?: string;
      readonly since?: string;
      readonly request?: object;
      /** Further metadata; names may be repeated. */
      readonly given?: readonly (readonly [name: string, text: string])[];
    },
  ) {
    this.client = client;
    const metadata = new Metadata();
    if (key !== undefined) metadata.set('x-api-key', key);
    if (since !== undefined) metadata.set('x-since', since);
    for (const [name, text] of given) metadata.add(name, text);
    const call = (client as unknown as Record<string, StreamMethod>)[method];
    if (call === undefined) throw new Error(`the service has no method ${method}`);
    this.stream = call.call(client, request, metadata);
    this.stream.on('data', (message: GrpcMessage) => {
      this.messages.push(message);
      this.onMessage();
    });
    this.initial = new Promise((resolve) => this.stream.once('metadata', resolve));
    this.place = this.initial.then((begin) => String(begin.get('x-seq')[0]));
    this.admitted = this.place.then(() => undefined);
    this.ended = new Promise((resolve) => {
      this.stream.on('error', resolve);
      this.stream.on('status', resolve);
    });
  }

  async until(count: number): Promise<readonly GrpcMessage[]> {
    while (this.messages.length < count) {
      await new Promise<void>((resolve) => {
        this.onMessage = resolve;
      });
    }
    return this.messages;
  }

  close(): void {
    this.stream.cancel();
    this.client.close();
  }
}
