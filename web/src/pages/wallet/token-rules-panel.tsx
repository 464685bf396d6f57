import { AddressLink } from '../../ui/address-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type TokenRule, wordsOf } from './wallet-types.ts';

/** The tokens in which the wallet is a bot, whatever its class is elsewhere, and why. */
export function TokenRulesPanel({ rules }: { readonly rules: readonly TokenRule[] }) {
  if (rules.length === 0) return null;
  return (
    <Panel title="Bot in single tokens">
      <ul class="token-rules">
        {rules.map((rule) => (
          <li key={`${rule.token_address} ${rule.rule}`}>
            <AddressLink address={rule.token_address} kind="token" />{' '}
            <strong>{wordsOf(rule.kind ?? rule.rule)}</strong>
            {rule.since_slot !== null && <span class="muted"> since slot {rule.since_slot}</span>}
            <p class="muted">
              {rule.meaning} {rule.evidence.map(inWords).join(', ')}.
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function inWords({ measure, value, threshold }: TokenRule['evidence'][number]): string {
  return `${wordsOf(measure)} ${Number(value)} (limit ${Number(threshold)})`;
}
