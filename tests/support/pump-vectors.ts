import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testData } from './test-data.ts';

/** A recorded event payload with its fields according to the published interface. */
export interface PumpVector {
  readonly id: string;
  readonly event: string;
  /** The program that wrote it. */
  readonly program: string;
  /** Discriminator and fields. */
  readonly data: Uint8Array;
  /** Values by field; integers as text. */
  readonly decoded: Readonly<Record<string, string | boolean | readonly unknown[]>>;
}

interface RecordedVector {
  readonly id: string;
  readonly events: readonly {
    readonly event: string;
    readonly program: string;
    readonly base64: string;
    readonly decoded: PumpVector['decoded'];
  }[];
}

/** Every recorded event of the programs as of October 2026, in the order of the file. */
export function readPumpVectors(): PumpVector[] {
  const text = readFileSync(join(testData, 'pump-2026-10-vectors.json'), 'utf8');
  const { vectors } = JSON.parse(text) as { readonly vectors: readonly RecordedVector[] };
  return vectors.flatMap(({ id, events }) =>
    events.map(({ event, program, base64, decoded }) => ({
      id,
      event,
      program,
      data: Uint8Array.from(Buffer.from(base64, 'base64')),
      decoded,
    })),
  );
}
