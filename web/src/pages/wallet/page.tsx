import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { address = '' } = params;
  const read = useRead('/v1/wallets/{address}', { address });
  return (
    <>
      <h1>Wallet</h1>
      <Panel title="Wallet">
        <ReadView read={read}>{() => <AddressLink address={address} kind="wallet" />}</ReadView>
      </Panel>
    </>
  );
}
