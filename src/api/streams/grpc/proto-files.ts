import { fileURLToPath } from 'node:url';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync, type MessageTypeDefinition, type PackageDefinition } from '@grpc/proto-loader';
import { ProtobufWriter } from '../../../lib/protobuf-writer.ts';

const FOLDER = fileURLToPath(new URL('../../../../proto', import.meta.url));
const TIMESTAMP_FILE = 'google/protobuf/timestamp.proto';
const TIMESTAMP = 'google.protobuf.Timestamp';

/** A file below `proto/`, as needed by servers and reflection. */
export interface ProtoFile {
  readonly name: string;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  /** Full names of the services and messages in the file. */
  readonly symbols: readonly string[];
  /** FileDescriptorProto of the file and of those it imports, by file name. */
  readonly descriptors: ReadonlyMap<string, Uint8Array>;
}

/** Loads a file with one service and its messages. Field names keep their spelling. */
export function loadProtoFile(name: string): ProtoFile {
  const definition = loadSync(name, {
    includeDirs: [FOLDER],
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const symbols = Object.keys(definition).filter((symbol) => !symbol.startsWith('google.'));
  const services = new Map<string, ServiceDefinition>();
  for (const [symbol, member] of Object.entries(definition)) {
    if (!('format' in member)) services.set(symbol, member as unknown as ServiceDefinition);
  }
  return { name, services, symbols, descriptors: descriptorsOf(name, definition) };
}

/**
 * The library keeps one descriptor per package, without file name and imports. Both are appended:
 * in protocol buffers the last value of a singular field applies, and repeated fields are
 * concatenated.
 */
function descriptorsOf(name: string, definition: PackageDefinition): Map<string, Uint8Array> {
  const own = new Map<string, Uint8Array>();
  const hasTimestamp = definition[TIMESTAMP] !== undefined;
  // Each message carries the descriptors of all packages.
  const message = Object.values(definition).find((member) => 'format' in member);
  for (const bytes of (message as MessageTypeDefinition<object, object>).fileDescriptorProtos) {
    const isGoogle = bytes.includes(GOOGLE_PACKAGE);
    const imports = hasTimestamp && !isGoogle ? [TIMESTAMP_FILE] : [];
    const file = isGoogle ? TIMESTAMP_FILE : name;
    own.set(file, amended(bytes, file, imports));
  }
  return own;
}

/** Package name in a descriptor: field 2, text of 15 bytes. */
const GOOGLE_PACKAGE = '\x12\x0fgoogle.protobuf';
const NAME_FIELD = 1;
const DEPENDENCY_FIELD = 3;

function amended(bytes: Uint8Array, name: string, imports: readonly string[]): Uint8Array {
  const writer = new ProtobufWriter();
  writer.text(NAME_FIELD, name);
  for (const imported of imports) writer.entry(DEPENDENCY_FIELD, imported);
  return Buffer.concat([bytes, writer.done()]);
}
