import { useRead } from '../../state/use-read.ts';
import { AddressLink } from '../../ui/address-link.tsx';
import { ChainText } from '../../ui/chain-text.tsx';
import { FigureRow, NamedFigure } from '../../ui/figure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ReadView } from '../../ui/read-view.tsx';

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { mint = '' } = params;
  const read = useRead('/v1/token/{token_address}', { token_address: mint });
  return (
    <>
      <h1>Token</h1>
      <Panel title="Token">
        <ReadView read={read}>
          {({ token }) => (
            <FigureRow>
              <NamedFigure name="Name">
                <ChainText text={token.name} />
              </NamedFigure>
              <NamedFigure name="Address">
                <AddressLink address={mint} kind="token" />
              </NamedFigure>
            </FigureRow>
          )}
        </ReadView>
      </Panel>
    </>
  );
}
