import { Component, type ComponentType, type ReactNode } from 'react';

type BoundaryProps = {
  /** Identifies the content of the part; when it changes, a caught error is forgotten. */
  readonly of: string;
  readonly failed: ComponentType<{ readonly error: unknown; readonly retry: () => void }>;
  readonly children: ReactNode;
};
type BoundaryState = { readonly of: string; readonly caught: { readonly error: unknown } | null };

/** Catches an error in one part of the page, so that the rest of the page stays. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, caught: null };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps(
    { of }: BoundaryProps,
    state: BoundaryState,
  ): Partial<BoundaryState> | null {
    return of === state.of ? null : { of, caught: null };
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (caught === null) return this.props.children;
    const Failed = this.props.failed;
    return <Failed error={caught.error} retry={() => this.setState({ caught: null })} />;
  }
}
