import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../../format/numbers.ts';
import { isSimulated } from '../../../state/freshness.ts';
import { Command } from '../command.tsx';
import type { FindingDetail } from '../token-types.ts';
import { SimulatedBlocks } from './simulated-blocks.tsx';

/** What a stranger runs to compute the finding again from raw blocks, without trusting this service. */
export function VerifyPanel({ detail }: { readonly detail: FindingDetail }) {
  const { id, slot } = detail;
  const path = `/v1/fraud/classifications/${id}`;
  return (
    <div class="verify">
      <p>
        Yes. The finding follows from blocks that anybody can have. <code>mintscope verify</code>{' '}
        computes it again from them, without this service, and compares every feature, wallet and
        item of evidence. Exit code 0 says that all are the same.
      </p>
      <ol>
        <li>
          <p>
            <FindingDownload detail={detail} /> or fetch it with a key:
          </p>
          <Command text={`curl -s -H "X-API-Key: $KEY" ${location.origin}${path} > finding.json`} />
        </li>
        <li>{isSimulated.value ? <SimulatedBlocks slot={slot} /> : <ChainBlocks slot={slot} />}</li>
        <li>
          <p>Compare, in a clone of this program:</p>
          <Command
            text={`npm run -s mintscope -- verify finding.json ${isSimulated.value ? 'market/blocks' : 'blocks/'}`}
          />
        </li>
      </ol>
    </div>
  );
}

/** The finding as it is shown: one fetched later may be at a slot that the blocks do not reach. */
function FindingDownload({ detail }: { readonly detail: FindingDetail }) {
  const [href, setHref] = useState('');
  useEffect(() => {
    const url = URL.createObjectURL(
      new Blob([JSON.stringify(detail)], { type: 'application/json' }),
    );
    setHref(url);
    return () => URL.revokeObjectURL(url);
  }, [detail]);
  return (
    <a href={href} download="finding.json">
      Download the finding
    </a>
  );
}

function ChainBlocks({ slot }: { readonly slot: number }) {
  return (
    <p>
      Put the blocks into a folder <code>blocks/</code>: answers of <code>getBlock</code> of any
      Solana node, up to slot {formatCount(slot)}. They must begin before the launch of the token
      and contain the payments to its wallets. If the service was started with{' '}
      <code>--sol-usd-fallback</code>, give the same here.
    </p>
  );
}
