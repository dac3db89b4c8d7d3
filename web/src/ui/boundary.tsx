import { Component, type ComponentType, type ReactNode } from 'react';

type BoundaryProps = {
  /** What the part shows; an error is forgotten when it changes. */
  readonly of: string;
  readonly failed: ComponentType<{ readonly error: unknown; readonly retry: () => void }>;
  readonly children: ReactNode;
};
type BoundaryState = { readonly of: string; readonly caught: { readonly error: unknown } | null };

/** A part of the page that fails costs itself alone. */
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
