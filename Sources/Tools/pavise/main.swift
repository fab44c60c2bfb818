print("pavise")
