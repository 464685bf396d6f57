import { isFailure } from '../../../api/client.ts';
import { useRead } from '../../../state/use-read.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Command } from '../command.tsx';
import { simulationStartMs } from './simulation-start.ts';

/** Slots after the finding that are written too, so that its own slot is certainly among them. */
const SLOTS_MORE = 10;

/** How to write the blocks of the simulated market up to a slot: the same seed gives the same. */
export function SimulatedBlocks({
  slot,
  creation,
}: {
  readonly slot: number;
  readonly creation: { readonly slot: number | null; readonly at: string | null };
}) {
  const { answer, body } = useRead('/v1/coverage', {});
  if (body === null) {
    return answer !== null && isFailure(answer) ? (
      <Failed failure={answer} />
    ) : (
      <Loading rows={2} />
    );
  }
  const { first_slot: firstSlot } = body;
  if (firstSlot === null || creation.slot === null || creation.at === null) {
    return <p>The start of this simulated market is not known, so its blocks cannot be written.</p>;
  }
  const startMs = simulationStartMs(firstSlot, { slot: creation.slot, at: creation.at });
  return (
    <>
      <p>
        Write the blocks. This market is simulated: the seed that the service was started with (
        <code>demo</code>, unless another was given) and the time of its first slot give the same
        blocks on any machine.
      </p>
      <Command
        text={
          `echo '{"startMs": ${startMs}}' > start.json\n` +
          'npm run -s mintscope -- simulate --out market --preset demo --seed demo ' +
          `--market start.json --slots ${slot - firstSlot + SLOTS_MORE}`
        }
      />
    </>
  );
}
