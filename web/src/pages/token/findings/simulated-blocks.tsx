import { isFailure } from '../../../api/client.ts';
import { useRead } from '../../../state/use-read.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Command } from '../command.tsx';

/** Slots after the finding that are written too, so that its own slot is certainly among them. */
const SLOTS_MORE = 10;

/** How to write the blocks of the simulated market up to a slot: the same seed gives the same. */
export function SimulatedBlocks({ slot }: { readonly slot: number }) {
  const { answer, body } = useRead('/v1/coverage', {});
  if (body === null) {
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
        Write the blocks. This market is simulated: the seed that the service was started with (
        <code>demo</code>, unless another was given) gives the same blocks on any machine. Only
        their times begin elsewhere, so that times and prices of the minute are told as different.
      </p>
      <Command
        text={`npm run -s mintscope -- simulate --out market --preset demo --seed demo --slots ${slots}`}
      />
    </>
  );
}
