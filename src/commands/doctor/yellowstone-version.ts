/**
 * Whether a Yellowstone server passes on complete transactions of version 1 (SIMD-0385). Their
 * budget and priority fee are in the message's `config` (field 7 of `Message`), supported by
 * yellowstone-grpc-proto since 12.6.0, of 2026-08-10, with yellowstone-grpc-geyser 15.1.0
 * (according to the ports helius-labs/yellowstone-grpc#48 and solana-rpc/shipstern#304; the
 * changelog lists it under 15.1.1). An older server omits the field, so that the transaction looks
 * like one of version 0. Validators before Agave 4 cannot read these transactions at all.
 */

export type VersionVerdict =
  | { readonly kind: 'new-enough' | 'too-old'; readonly shown: string }
  /** The answer lacks the needed versions, or the server numbers its versions differently. */
  | { readonly kind: 'unknown'; readonly shown: string };

const PACKAGE = 'yellowstone-grpc-geyser';
/** Minimum version of yellowstone-grpc-proto. */
const PROTO_MIN = [12, 6, 0] as const;
/** Minimum version of the validator's crates. */
const SOLANA_MIN = [4, 0, 0] as const;
const SHOWN_MAX = 80;

/**
 * Judges the text of `GetVersion`: JSON with `version`, `proto` and `solana`; in newer servers
 * nested under `version`, with `package`.
 */
export function judgeVersionText(text: string): VersionVerdict {
  const fields = fieldsOf(text);
  if (fields === null) return { kind: 'unknown', shown: printable(text) };
  const { version, proto, solana } = fields;
  const shown = printable(
    [['version', version] as const, ['proto', proto] as const, ['solana', solana] as const]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  );
  const [protoNumbers, solanaNumbers] = [numbersOf(proto), numbersOf(solana)];
  if (solanaNumbers !== null && isBefore(solanaNumbers, SOLANA_MIN)) {
    return { kind: 'too-old', shown };
  }
  // Forks have their own version numbers.
  const isOther = fields.package !== null && fields.package !== PACKAGE;
  if (protoNumbers === null || isOther) return { kind: 'unknown', shown };
  return { kind: isBefore(protoNumbers, PROTO_MIN) ? 'too-old' : 'new-enough', shown };
}

interface VersionFields {
  readonly package: string | null;
  readonly version: string | null;
  readonly proto: string | null;
  readonly solana: string | null;
}

function fieldsOf(text: string): VersionFields | null {
  const document = parsedObject(text);
  if (document === null) return null;
  const { version } = document;
  const isNested = typeof version === 'object' && version !== null;
  const fields = isNested ? (version as Record<string, unknown>) : document;
  const textAt = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value : null;
  };
  const found = {
    package: textAt('package'),
    version: textAt('version'),
    proto: textAt('proto'),
    solana: textAt('solana'),
  };
  return found.version === null && found.proto === null && found.solana === null ? null : found;
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The first three numbers of a version: `12.6.0+solana.4.2.1` is 12, 6, 0. */
function numbersOf(version: string | null): readonly number[] | null {
  const found = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(version ?? '');
  return found === null ? null : found.slice(1).map(Number);
}

function isBefore(version: readonly number[], least: readonly number[]): boolean {
  for (const [index, number] of version.entries()) {
    const other = least[index] ?? 0;
    if (number !== other) return number < other;
  }
  return false;
}

/** A short single-line text of a server. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, SHOWN_MAX);
}
