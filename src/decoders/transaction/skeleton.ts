import type { Instruction } from '../../model/instruction.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';

const ROUTERS: ReadonlySet<string> = new Set(Object.values(ROUTER_PROGRAMS));

/** Roles of an account in an instruction; none is the code of a tag. */
const PAYER = 0x101;
const SIGNER = 0x102;
const OTHER = 0x103;
const NO_TAG = 0x104;
const TIP = 0x105;

/**
 * What one tool's transactions have in common (METHODS §13.1), as 16 hexadecimal digits: the outer
 * instructions in order, each with its program, its tag and the roles of its accounts, and whether a
 * tip was paid. Compute budget is among the instructions.
 *
 * The tag is the first byte of the data: longer tags are followed by amounts at places that depend on
 * the encoding. Two instructions of a program with tags of eight bytes share it once in 256. A
 * router's accounts follow from the route, not from who sends it, so that they are left out.
 */
export function skeletonOf(transaction: ChainTransaction, hasTip: boolean): string {
  const hash = new Hash();
  for (const instruction of transaction.instructions) {
    if (instruction.innerIx !== -1) continue;
    addInstruction(hash, instruction, transaction.signerCount);
  }
  if (hasTip) hash.add(TIP);
  return hash.digits();
}

function addInstruction(hash: Hash, instruction: Instruction, signerCount: number): void {
  const { programId, data, accountCount } = instruction;
  hash.addText(programId);
  hash.add(data[0] ?? NO_TAG);
  if (isRouter(programId)) return;
  for (let at = 0; at < accountCount; at++) {
    const index = instruction.accountIndex(at);
    if (index === 0) hash.add(PAYER);
    else hash.add(index < signerCount ? SIGNER : OTHER);
  }
}

function isRouter(programId: Address): boolean {
  return ROUTERS.has(programId);
}

/** Two lanes of FNV-1a with different starts and primes, finished as MurmurHash3 does. */
class Hash {
  private one = 0x811c9dc5;
  private other = 0x9e3779b9;

  add(code: number): void {
    this.one = Math.imul(this.one ^ code, 0x01000193);
    this.other = Math.imul(this.other ^ code, 0x85ebca6b);
    this.other = (this.other << 13) | (this.other >>> 19);
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.add(text.charCodeAt(at));
  }

  digits(): string {
    return toDigits(finished(this.one)) + toDigits(finished(this.other));
  }
}

function finished(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function toDigits(word: number): string {
  return word.toString(16).padStart(8, '0');
}
