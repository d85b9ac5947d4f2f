/** The names in scenario documents, as the server reads them. */

export const TOPOLOGIES = ["spiral", "cluster", "ring", "scattered"] as const;
export const SYMMETRIES = ["none", "mirror", "rotational"] as const;
export const HOMES = ["far", "fair"] as const;
export const DISTRIBUTIONS = ["scattered", "cluster", "none"] as const;
export const PROFILES = ["aggressive", "balanced", "defensive"] as const;
export const SPAWNS = ["home_system", "random"] as const;
export const RESOURCES = ["none", "gas"] as const;
export const CONDITIONS = ["elimination", "domination", "king_of_the_hill", "survival"] as const;
export const SHIPS = [
  "carrier",
  "cruiser",
  "destroyer",
  "frigate",
  "fighter",
  "bomber",
  "troop_transport",
  "tanker",
  "extractor",
] as const;
export const RULES = ["fogOfWar", "useAdvancedCombat", "aiEnabled", "totalWar", "unlimitedFuel", "supply"] as const;

/** The default factions, in order. */
export const FACTIONS = [
  ["blue", "Blue League", "#3b82f6"],
  ["red", "Red Dominion", "#ef4444"],
  ["green", "Green Compact", "#22c55e"],
  ["gold", "Golden Houses", "#eab308"],
  ["violet", "Violet Order", "#a855f7"],
  ["cyan", "Cyan Reach", "#06b6d4"],
  ["orange", "Orange Free States", "#f97316"],
  ["white", "White Fleet", "#e5e7eb"],
] as const;

/** The default fleet: it can fight and land troops. */
export const STARTER = [
  "cruiser",
  "destroyer",
  "destroyer",
  "frigate",
  "troop_transport",
  "troop_transport",
  "troop_transport",
];
