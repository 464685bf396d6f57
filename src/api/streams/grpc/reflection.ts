/**
 * Server reflection (grpc/reflection/v1): lets tools discover the services without the files in
 * `proto/`.
 */
import { type handleBidiStreamingCall, type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { ProtoFile } from './proto-files.ts';

export interface ReflectionRequest {
  readonly host: string;
  /** Name of the field below that is set. */
  readonly message_request?: string;
  readonly file_by_filename?: string;
  readonly file_containing_symbol?: string;
}

export type ReflectionAnswer = Readonly<Record<string, unknown>>;

export function reflectionHandler(
  files: readonly ProtoFile[],
): handleBidiStreamingCall<ReflectionRequest, ReflectionAnswer> {
  const byFile = new Map<string, Uint8Array>();
  const bySymbol = new Map<string, ProtoFile>();
  for (const file of files) {
    for (const [name, bytes] of file.descriptors) byFile.set(name, bytes);
    for (const symbol of file.symbols) bySymbol.set(symbol, file);
  }
  const services = files.flatMap((file) => [...file.services.keys()]).sort();
  const answer = (request: ReflectionRequest): ReflectionAnswer => {
    switch (request.message_request) {
      case 'list_services':
        return { list_services_response: { service: services.map((name) => ({ name })) } };
      case 'file_by_filename': {
        const bytes = byFile.get(request.file_by_filename ?? '');
        return bytes === undefined ? notFound('file') : toFiles([bytes]);
      }
      case 'file_containing_symbol': {
        const file = fileOf(bySymbol, request.file_containing_symbol ?? '');
        return file === undefined ? notFound('symbol') : toFiles([...file.descriptors.values()]);
      }
      default:
        // proto3 has no extensions.
        return notFound('extension');
    }
  };
  return (call: ServerDuplexStream<ReflectionRequest, ReflectionAnswer>) => {
    call.on('data', (request: ReflectionRequest) => {
      const hasSpace = call.write({
        valid_host: request.host,
        original_request: request,
        ...answer(request),
      });
      if (hasSpace) return;
      // Responses are much longer than requests: stop reading requests until the client reads the
      // responses.
      call.pause();
      call.once('drain', () => call.resume());
    });
    call.on('end', () => call.end());
    call.on('error', () => call.end());
  };
}

/** A method belongs to the file of its service. */
function fileOf(bySymbol: ReadonlyMap<string, ProtoFile>, symbol: string): ProtoFile | undefined {
  return bySymbol.get(symbol) ?? bySymbol.get(symbol.slice(0, symbol.lastIndexOf('.')));
}

function toFiles(descriptors: readonly Uint8Array[]): ReflectionAnswer {
  return { file_descriptor_response: { file_descriptor_proto: descriptors } };
}

function notFound(kind: string): ReflectionAnswer {
  return {
    error_response: { error_code: status.NOT_FOUND, error_message: `There is no such ${kind}.` },
  };
}
