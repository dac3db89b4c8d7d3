import { useEffect, useState } from 'react';
import { openIndicator } from '../../box/open-indicator.ts';
import { IDLE_MS, loadReader } from '../../box/reader.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { isPlain, pageTypeOf } from './plain-target.ts';
import { type Asked, askedAtOnce, askedOf, askedWithoutReader } from './target.ts';
import { checkDesk } from './use-check.ts';

export function useAsked(): Asked {
  const { path, params } = useShownPlace();
  const type = pageTypeOf(path);
  const raw = params.value ?? params.rest ?? '';
  const [read, setRead] = useState<{ type: string; raw: string; asked: Asked } | null>(null);
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
        // The parser could not be loaded. A target that is canonical without doubt is still checked.
        () => settle(askedWithoutReader(type, raw)),
      );
    // The parser is large. A check that has started without it must not wait for it, so it then loads with a delay.
    const timer = setTimeout(read, isPlain(type, raw) ? IDLE_MS : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [type, raw]);
  return read !== null && read.type === type && read.raw === raw ? read.asked : askedAtOnce(type, raw);
}
