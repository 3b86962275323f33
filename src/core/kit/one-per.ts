/**
 * Memoised by object: one of something for every object that asks, made when it first does and gone
 * when that is.
 */
export function onePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    let found = made.get(key)
    if (!found) made.set(key, (found = { value: make(key) }))
    return found.value
  }
}
