// Texts that stand for no value.
/** Words that programs write where there is no value, or none that they can read. */
export const placeholders =
  /^(?:null|none|nil|nan|undefined|\(null\)|\[object object\]|#(?:ref!|n\/a|nv|value!|wert!|name\??!?|div\/0!|bezug!|valeur!|nom\?))$/i;
