import { Suspense, use, useDeferredValue, useLayoutEffect, useMemo } from 'react';
import { usePlace } from '../navigation/place.ts';
import { ShownPlace } from '../navigation/shown-place.ts';
import { Boundary } from '../ui/boundary.tsx';
import css from './frame.module.css';
import { Lost } from './lost.tsx';
import { ScreenFailed } from './screen-failed.tsx';
import { pageOf, screenOf } from './screen-of.ts';

/** The screen of the current place. The one before stays until the next has loaded. */
export function ShownScreen() {
  const place = useDeferredValue(usePlace());
  const found = useMemo(() => screenOf(place.path), [place.path]);
  const shown = useMemo(() => ({ ...place, params: found?.params ?? {} }), [place, found]);
  useLayoutEffect(() => {
    if (place.scrollTo !== null) scrollTo(0, place.scrollTo);
  }, [place]);
  return (
    <ShownPlace value={shown}>
      <Boundary of={place.key} failed={ScreenFailed}>
        <Suspense fallback={<div className={css.waiting} />}>
          {found === null ? <Lost /> : <Page loading={pageOf(found.screen)} />}
        </Suspense>
      </Boundary>
    </ShownPlace>
  );
}

function Page({ loading }: { loading: ReturnType<typeof pageOf> }) {
  const Loaded = use(loading);
  return <Loaded />;
}
