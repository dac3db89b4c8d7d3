import { useMatch, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { IDLE_MS, loadReader } from '../../box/reader.ts';
import { useOpenIndicator } from '../../box/use-open-indicator.ts';
import { isPlain, pageTypeOf } from './plain-target.ts';
import { type Asked, askedAtOnce, askedOf, askedWithoutReader } from './target.ts';
import { checkDesk } from './use-check.ts';

export function useAsked(): Asked {
  // From the match, not the location: the location already belongs to the next page while this one is still shown.
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const params = useParams({ strict: false });
  const type = pageTypeOf(pathname);
  const raw = params.value ?? params._splat ?? '';
  const [read, setRead] = useState<{ type: string; raw: string; asked: Asked } | null>(null);
  const openIndicator = useOpenIndicator();
  useEffect(() => {
    let isCurrent = true;
    const settle = (asked: Asked): void => {
      if (!isCurrent) return;
      if (asked.kind === 'elsewhere') {
        checkDesk.rename({ type, value: raw }, asked.target);
        openIndicator(asked.target, 'replace');
      }
      setRead({ type, raw, asked });
    };
    const read = () =>
      void loadReader().then(
        (reader) => settle(askedOf(type, raw, reader(raw))),
        // The parser did not load. A canonical target is still checked.
        () => settle(askedWithoutReader(type, raw)),
      );
    // The parser includes the public suffix list. When the check has started without it, it loads after the answer.
    const timer = setTimeout(read, isPlain(type, raw) ? IDLE_MS : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, raw, openIndicator]);
  return read !== null && read.type === type && read.raw === raw ? read.asked : askedAtOnce(type, raw);
}
