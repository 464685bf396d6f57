import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Decoder } from '../../src/decoders/legs/decoder.ts';
import { DECODERS } from '../../src/decoders/registry.ts';

/** A decoder, and what the head of its file says of the program and of how it is read. */
export interface ProgramCard {
  readonly decoder: Decoder;
  /** File below the root of the repository. */
  readonly file: string;
  readonly text: string;
}

const FOLDER = 'src/decoders/programs';

/**
 * The cards of all decoders, in the order of the registry. Throws for a decoder whose file does not
 * begin with a comment about its program.
 */
export async function readProgramCards(root: string): Promise<readonly ProgramCard[]> {
  const files = globSync(`${FOLDER}/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] });
  const fileOf = new Map<Decoder, string>();
  for (const file of files) {
    const module = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>;
    for (const value of Object.values(module).flat()) fileOf.set(value as Decoder, file);
  }
  return DECODERS.map((decoder) => {
    const file = fileOf.get(decoder);
    if (file === undefined) throw new Error(`No file in ${FOLDER} exports ${decoder.name}.`);
    return { decoder, file, text: headOf(file, readFileSync(join(root, file), 'utf8')) };
  });
}

/** The comment that a file begins with, as Markdown. */
export function headOf(file: string, source: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  const text = comment.replaceAll(/^ *\*? ?/gm, '').trim();
  if (text === '') throw new Error(`${file} does not begin with a comment about its program.`);
  return text;
}
