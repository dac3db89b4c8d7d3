import type { CheckSeen } from './check-seen.ts';
import css from './context-panels.module.css';
import { choosePanels } from './empty-panels.ts';
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
import { LookElsewhere } from './look-elsewhere.tsx';
import { LookalikesPanel } from './lookalikes-panel.tsx';
import type { PanelId } from './panel-order.ts';
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
  const { shown, line } = choosePanels(seen, isSignedIn);
  return (
    <>
      {/* A new list, not a shorter one: panels that move up would count as a layout shift. */}
      <div className={css.grid} key={shown.join()}>
        {shown.map((id, index) => {
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
      {line !== null && (
        <p className={css.unasked} data-state="empty">
          {line}
        </p>
      )}
      <LookElsewhere target={seen.target} />
    </>
  );
}
