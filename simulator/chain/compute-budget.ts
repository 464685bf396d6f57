import { COMPUTE_BUDGET_PROGRAM } from '../../src/model/program.ts';
import type { Execution } from './execution.ts';
import { InstructionBytes } from './instruction-bytes.ts';

export function setComputeUnitLimit(execution: Execution, units: number): void {
  execution.invoke(COMPUTE_BUDGET_PROGRAM, [], new InstructionBytes().u8(2).u32(units).done());
}

export function setComputeUnitPrice(execution: Execution, microLamports: bigint): void {
  const data = new InstructionBytes().u8(3).u64(microLamports).done();
  execution.invoke(COMPUTE_BUDGET_PROGRAM, [], data);
}
