export type MailExchange = { readonly exchange: string; readonly priority: number };

/**
 * Mail goes to an MX or, without any, to the address of the name itself (RFC 5321 5.1). An MX that points to the root
 * means that the domain takes no mail (RFC 7505).
 */
export const takesMail = (mx: readonly MailExchange[], hasAddress: boolean): boolean =>
  mx.length === 0 ? hasAddress : mx.some(({ exchange }) => exchange !== '' && exchange !== '.');
