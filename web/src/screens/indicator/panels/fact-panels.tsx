import { lazy, Suspense, useState } from 'react';
import { IndicatorLink } from '../../../box/indicator-link.tsx';
import { persistently } from '../../../service/persistently.ts';
import { InertText } from '../../../ui/inert-text.tsx';
import { FoldingPanel } from '../../../ui/panel.tsx';
import css from './context-panels.module.css';
import { facetState, partOf } from './facet-state.ts';
import { FactList } from './fact-list.tsx';
import {
  certificateFacts,
  countryOf,
  dnsFacts,
  fileFacts,
  locationFacts,
  mailFacts,
  networkFacts,
  passwordSentence,
  registrationFacts,
} from './facts.ts';
import { hostOf, TITLES } from './panel-order.ts';
import { type PanelInput, useFacet } from './use-facet.ts';

const LocatorMap = lazy(async () => ({
  default: (await persistently(() => import('../../../charts/locator-map.tsx'))).LocatorMap,
}));

export type PanelProps = PanelInput & { readonly startsOpen: boolean };

/** The reserved height of every panel, a title and eight lines, so that nothing moves when the panels fill. */
export const RESERVED_PX = 252;

export function NetworkPanel(props: PanelProps) {
  const { seen, startsOpen } = props;
  const { value, state } = useFacet('geo', props);
  const isKnown = value !== null && (value.asn !== null || value.org !== null || value.isp !== null);
  return (
    <FoldingPanel
      title={TITLES.network}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && !isKnown
          ? { kind: 'empty', why: 'No network is known to announce this address.' }
          : state
      }
    >
      {value !== null && (
        <FactList
          facts={networkFacts({
            geo: value,
            whois: partOf(seen, 'whois'),
            asnReputation: seen.insights?.asnReputation,
            infrastructure: seen.reputation?.infrastructure,
            hostnames: partOf(seen, 'vulnerabilities')?.hostnames ?? [],
          })}
        />
      )}
    </FoldingPanel>
  );
}

export function LocationPanel(props: PanelProps) {
  const { value, state } = useFacet('geo', props);
  const country = value === null ? null : countryOf(value);
  const place = value === null || value.lat === null || value.lon === null ? null : value;
  return (
    <FoldingPanel
      title={TITLES.location}
      startsOpen={props.startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && country === null
          ? { kind: 'empty', why: 'Its country is not known.' }
          : state
      }
    >
      {value !== null && (
        <>
          <Suspense fallback={<div className={css.map} />}>
            <LocatorMap
              countryCode={value.countryCode}
              place={place === null ? null : { lat: place.lat ?? 0, lon: place.lon ?? 0 }}
              label={`Map of the world with ${country ?? 'no country'} marked`}
            />
          </Suspense>
          <FactList facts={locationFacts(value)} />
          <p className="note">Where its network is registered, which need not be where its user is.</p>
        </>
      )}
    </FoldingPanel>
  );
}

export function RegistrationPanel(props: PanelProps) {
  const { value, state } = useFacet('whois', props);
  const [nowMs] = useState(() => Date.now());
  return (
    <FoldingPanel
      title={TITLES.registration}
      startsOpen={props.startsOpen}
      minHeight={RESERVED_PX}
      state={state}
    >
      {value !== null && <FactList facts={registrationFacts(value, nowMs)} />}
    </FoldingPanel>
  );
}

export function CertificatePanel(props: PanelProps) {
  const { value, state } = useFacet('certificates', props);
  const [nowMs] = useState(() => Date.now());
  return (
    <FoldingPanel
      title={TITLES.certificate}
      startsOpen={props.startsOpen}
      minHeight={RESERVED_PX}
      state={state}
    >
      {value !== null && <FactList facts={certificateFacts(value, nowMs)} />}
    </FoldingPanel>
  );
}

export function DnsPanel({ startsOpen, ...input }: PanelProps) {
  const dns = partOf(input.seen, 'dns');
  const facts = dns === null ? [] : dnsFacts(dns);
  const state = facetState(input.seen, 'dns', input);
  return (
    <FoldingPanel
      title={TITLES.dns}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && facts.length === 0
          ? { kind: 'empty', why: 'The name has no address and no name server.' }
          : state
      }
    >
      <FactList facts={facts} />
    </FoldingPanel>
  );
}

export function MailPanel({ startsOpen, ...input }: PanelProps) {
  const dns = partOf(input.seen, 'dns');
  return (
    <FoldingPanel
      title={TITLES.mail}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={facetState(input.seen, 'dns', input)}
    >
      {dns !== null && <FactList facts={mailFacts(dns)} />}
    </FoldingPanel>
  );
}

export function FilePanel({ seen, startsOpen }: PanelProps) {
  return (
    <FoldingPanel title={TITLES.file} startsOpen={startsOpen} minHeight={RESERVED_PX}>
      <FactList facts={fileFacts(seen)} />
    </FoldingPanel>
  );
}

export function PasswordPanel({ seen, startsOpen }: PanelProps) {
  const found = seen.enrichment?.pwnedPassword;
  if (found === undefined) return null;
  return (
    <FoldingPanel title={TITLES.password} startsOpen={startsOpen}>
      <p className={css.sentence}>{passwordSentence(found)}</p>
    </FoldingPanel>
  );
}

export function HostPanel({ seen, startsOpen }: PanelProps) {
  const host = hostOf(seen.target.value);
  if (host === null) return null;
  return (
    <FoldingPanel title={TITLES.host} startsOpen={startsOpen} minHeight={RESERVED_PX}>
      <p className={css.sentence}>
        <IndicatorLink target={host}>
          <InertText mono>{host.value}</InertText>
        </IndicatorLink>
      </p>
      <p className="note">
        The panels below describe this {host.type === 'ip' ? 'address' : 'name'}. Its own page has its verdict
        apart from this URL.
      </p>
    </FoldingPanel>
  );
}
