import type { CheckSeen } from './check-seen.ts';
import css from './context-panels.module.css';
import { isUnasked } from './facet-state.ts';
import {
  CertificatePanel,
  DnsPanel,
  FilePanel,
  HostPanel,
  LocationPanel,
  MailPanel,
  NetworkPanel,
  type PanelProps,
  PasswordPanel,
  RegistrationPanel,
} from './fact-panels.tsx';
import {
  PassiveDnsPanel,
  PulsesPanel,
  RelatedPanel,
  TechnologiesPanel,
  VulnerabilitiesPanel,
} from './list-panels.tsx';
import { LookalikesPanel } from './lookalikes-panel.tsx';
import { FACET_OF, type PanelId, panelOrder, TITLES } from './panel-order.ts';
import { useSilence } from './use-silence.ts';

const PANELS: Readonly<Record<PanelId, React.ComponentType<PanelProps>>> = {
  host: HostPanel,
  file: FilePanel,
  network: NetworkPanel,
  location: LocationPanel,
  vulnerabilities: VulnerabilitiesPanel,
  pulses: PulsesPanel,
  'passive-dns': PassiveDnsPanel,
  certificate: CertificatePanel,
  registration: RegistrationPanel,
  dns: DnsPanel,
  mail: MailPanel,
  lookalikes: LookalikesPanel,
  related: RelatedPanel,
  technologies: TechnologiesPanel,
  password: PasswordPanel,
};
const OPEN_ON_PHONES = 2;

/** Each panel has its own state, so that a slow or failed part does not hold up the others. */
export function ContextPanelsNow({ seen, isSignedIn }: { seen: CheckSeen; isSignedIn: boolean }) {
  const isSilent = useSilence(seen);
  const order = panelOrder(seen.target);
  // Panels without lookups are named in one sentence, instead of repeating it in up to nine panels.
  const unasked = order.filter((id) => {
    const facet = FACET_OF[id];
    return facet !== undefined && isUnasked(seen, facet);
  });
  return (
    <>
      <div className={css.grid}>
        {order
          .filter((id) => !unasked.includes(id))
          .map((id, index) => {
            const Shown = PANELS[id];
            return (
              <Shown
                key={id}
                seen={seen}
                isSignedIn={isSignedIn}
                isSilent={isSilent}
                startsOpen={index < OPEN_ON_PHONES}
              />
            );
          })}
      </div>
      {unasked.length > 0 && (
        <p className={css.unasked} data-state="empty">
          Not asked, because live lookups are switched off on this installation:{' '}
          {unasked.map((id) => TITLES[id].toLowerCase().replace('dns', 'DNS')).join(', ')}.
        </p>
      )}
    </>
  );
}
