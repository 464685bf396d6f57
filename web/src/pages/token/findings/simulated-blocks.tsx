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
        Write the blocks. This market is simulated: its seed and its start give the same blocks on
        any machine. Both are in the first line that the service logs; write its{' '}
        <code>startMs</code> for the zero here, and its seed if it is not <code>demo</code>. With
        another start all times differ, and nothing else but prices of the minute.
      </p>
      <Command
        text={
          `echo '{"startMs": 0}' > start.json\n` +
          'npm run -s mintscope -- simulate --out market --preset demo --seed demo ' +
          `--market start.json --slots ${slots}`
        }
      />
    </>
  );
}
