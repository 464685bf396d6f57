import { isFailure } from '../../../api/client.ts';
import { useRead } from '../../../state/use-read.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Command } from '../command.tsx';

/** Slots after the finding that are written too, so that its own slot is certainly among them. */
const SLOTS_MORE = 10;

/** How to write the blocks of the simulated market up to a slot: the same seed gives the same. */
export function SimulatedBlocks({ slot }: { readonly slot: number }) {
  const { answer, body } = useRead('/v1/coverage', {});
  if (body === null || body.simulation === null) {
    return answer !== null && isFailure(answer) ? (
      <Failed failure={answer} />
    ) : (
      <Loading rows={2} />
    );
  }
  const slots = slot - (body.first_slot ?? slot) + SLOTS_MORE;
  return (
    <>
      <p>
        Write the blocks. This market is simulated: its seed and its start give the same blocks on
        any machine.
      </p>
      <Command
        text={
          `echo '{"startMs": ${body.simulation.start_ms}}' > start.json\n` +
          `npm run -s mintscope -- simulate --out market --preset demo --seed ${quoted(body.simulation.seed)} ` +
          `--market start.json --slots ${slots}`
        }
      />
    </>
  );
}

/** A seed as one word of a shell. */
function quoted(seed: string): string {
  return /^[\w.-]+$/.test(seed) ? seed : `'${seed.replaceAll("'", `'\\''`)}'`;
}
