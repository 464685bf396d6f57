import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { paying, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';

export function transferLamports(
  execution: Execution,
  from: Address,
  to: Address,
  lamports: bigint,
): void {
  const data = new InstructionBytes().u32(2).u64(lamports).done();
  execution.invoke(SYSTEM_PROGRAM, [paying(from), writable(to)], data, () =>
    execution.moveLamports(from, to, lamports),
  );
}

/** Creates a rent-exempt account of `space` bytes and assigns it to a program. */
export function createAccount(
  execution: Execution,
  payer: Address,
  address: Address,
  space: number,
  program: Address,
): void {
  const lamports = rentExemptLamports(space);
  const data = new InstructionBytes().u32(0).u64s(lamports, BigInt(space)).address(program).done();
  execution.invoke(SYSTEM_PROGRAM, [paying(payer), paying(address)], data, () => {
    execution.moveLamports(payer, address, lamports);
    execution.change(address, { program });
  });
}

/** Two years of 3,480 lamports per byte, including 128 bytes of overhead. */
export function rentExemptLamports(space: number): bigint {
  return BigInt(128 + space) * 6_960n;
}
