/** What a request asks for beside its operation, before it is known whether it may. */
export interface RequestedPrivileges {
  /** The tenant to act for, as it was sent. */
  readonly sudoTenant: string | null;
  readonly allTenants: boolean;
  readonly editsManaged: boolean;
  readonly deletesHard: boolean;
  readonly deletesShares: boolean;
}
