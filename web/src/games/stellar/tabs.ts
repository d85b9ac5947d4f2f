/** A tab next to the map. */
export type Tab = "orders" | "system" | "objectives" | "reports";
